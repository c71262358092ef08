import { Argument, Command } from "commander";
import { jsonSchema, SCHEMAS, type SchemaName } from "../../core/schemas.js";
import { type CommonOptions, examples, withCommonOptions } from "../options.js";
import { print, printJson } from "../output.js";

export function schemaCommand(): Command {
  const names = Object.keys(SCHEMAS);
  return withCommonOptions(new Command("schema"))
    .addArgument(new Argument("<name>", "which format").choices(names))
    .addHelpText("after", examples("defensible schema decision"))
    .action((name: SchemaName, options: CommonOptions) => {
      const schema = jsonSchema(name);
      // JSON is what it prints in any case.
      if (!printJson(schema, options) && !options.jsonFile) print(JSON.stringify(schema, null, 2));
    });
}
