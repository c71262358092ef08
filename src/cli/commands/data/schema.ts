import { Argument, Command } from "commander";
import { FORMATS, jsonSchema } from "../../../core/schemas.js";
import { experimentFormats } from "../../../experiments/registry.js";
import { type CommonOptions, examples, withCommonOptions } from "../../options.js";
import { print, printJson } from "../../output.js";

export function schemaCommand(): Command {
  const experiments = experimentFormats();
  return withCommonOptions(new Command("schema"))
    .addArgument(new Argument("<name>", "which format").choices([...Object.keys(FORMATS), ...Object.keys(experiments)]))
    .addHelpText("after", examples("defensible schema decision"))
    .action(async (name: string, options: CommonOptions) => {
      const format = Object.hasOwn(FORMATS, name) ? FORMATS[name as keyof typeof FORMATS] : await experiments[name]!();
      const schema = jsonSchema(name, format);
      // The output is JSON even without --json.
      if (!printJson(schema, options) && !options.jsonFile) print(JSON.stringify(schema, null, 2));
    });
}
