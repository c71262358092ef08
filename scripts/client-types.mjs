/** TypeScript types of an OpenAPI document, for the client: for each endpoint what it takes and what it answers. */
export function clientTypes({ paths, components }) {
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => endpointType(`${method.toUpperCase()} ${path}`, operation)),
  );
  const head = "// Made from docs/openapi.json by `npm run build`.\n\n";
  const named = Object.entries(components.schemas).map(
    ([name, schema]) => `\nexport type ${name} = ${typeOf(schema, 0)};\n`,
  );
  return `${head}export interface Api {\n${endpoints.join("")}}\n${named.join("")}`;
}

function endpointType(name, { summary, parameters = [], requestBody, responses }) {
  const [status] = Object.keys(responses).filter((code) => code.startsWith("2"));
  const answer = Object.values(responses[status].content)[0].schema;
  const body = requestBody && Object.values(requestBody.content)[0].schema;
  const parts = [
    parametersOf(
      "params",
      parameters.filter((one) => one.in === "path"),
    ),
    parametersOf(
      "query",
      parameters.filter((one) => one.in === "query"),
    ),
    body ? `    body: ${typeOf(body, 2)};\n` : "",
    requestBody?.content["application/x-ndjson"] ? "    lines: true;\n" : "",
    `    answer: ${typeOf(answer, 2)};\n`,
  ];
  return `  /** ${summary.replaceAll("*/", "* /")} */\n  ${JSON.stringify(name)}: {\n${parts.join("")}  };\n`;
}

function parametersOf(name, parameters) {
  if (parameters.length === 0) return "";
  const required = parameters.filter((one) => one.required).map((one) => one.name);
  const properties = Object.fromEntries(parameters.map((one) => [one.name, one.schema]));
  return `    ${name}${required.length > 0 ? "" : "?"}: ${typeOf({ type: "object", properties, required }, 2)};\n`;
}

function typeOf(schema, depth) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map((one) => inList(typeOf(one, depth))))].join(" | ");
  if (schema.allOf) return schema.allOf.map((one) => inList(typeOf(one, depth))).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, depth)).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      if (schema.prefixItems) return `[${schema.prefixItems.map((one) => typeOf(one, depth)).join(", ")}]`;
      return `${inList(typeOf(schema.items ?? {}, depth))}[]`;
    case "object":
      return objectType(schema, depth);
    default:
      return "unknown";
  }
}

function objectType({ properties = {}, required = [], additionalProperties }, depth) {
  const indent = "  ".repeat(depth + 1);
  const members = Object.entries(properties).map(([name, one]) => {
    const doc = one.description ? `${indent}/** ${one.description.replaceAll("*/", "* /")} */\n` : "";
    const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
    return `${doc}${indent}${key}${required.includes(name) ? "" : "?"}: ${typeOf(one, depth + 1)};\n`;
  });
  if (members.length === 0) {
    const values = typeof additionalProperties === "object" ? typeOf(additionalProperties, depth) : "unknown";
    return `Record<string, ${values}>`;
  }
  if (additionalProperties) members.push(`${indent}[key: string]: unknown;\n`);
  return `{\n${members.join("")}${"  ".repeat(depth)}}`;
}

/** A choice inside of something else needs brackets. */
function inList(type) {
  return / [|&] /.test(type) && !type.startsWith("{") ? `(${type})` : type;
}
