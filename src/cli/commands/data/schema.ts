import { Argument, Command } from "commander";
import { jsonSchema, SCHEMAS } from "../../../core/schemas.js";
import { EXPERIMENTS } from "../../../experiments/registry.js";
import { type CommonOptions, examples, withCommonOptions } from "../../options.js";
import { print, printJson } from "../../output.js";

export function schemaCommand(): Command {
  const names = [...new Set([...Object.keys(SCHEMAS), ...Object.keys(EXPERIMENTS).filter((name) => name !== "diff")])];
  return withCommonOptions(new Command("schema"))
    .addArgument(new Argument("<name>", "which format").choices(names))
    .addHelpText("after", examples("defensible schema decision"))
    .action((name: string, options: CommonOptions) => {
      const schema = jsonSchema(name, Object.hasOwn(SCHEMAS, name) ? undefined : EXPERIMENTS[name]!.schema);
      // JSON is what it prints in any case.
      if (!printJson(schema, options) && !options.jsonFile) print(JSON.stringify(schema, null, 2));
    });
}
