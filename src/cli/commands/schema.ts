import { Argument, Command } from "commander";
import { jsonSchema, SCHEMAS, type SchemaName } from "../../domain/schemas.js";
import { examples } from "../options.js";
import { print } from "../output.js";

export function schemaCommand(): Command {
  const names = Object.keys(SCHEMAS);
  return new Command("schema")
    .description("print the JSON Schema of a format")
    .addArgument(new Argument("<name>", "which format").choices(names))
    .option("--json", "the schema is JSON in any case")
    .addHelpText("after", examples("defensible schema decision"))
    .action((name: SchemaName) => print(JSON.stringify(jsonSchema(name), null, 2)));
}
