import type { ServerResponse } from "node:http";
import { type Service, sendFault } from "./answer-request.js";
import { googleError } from "./google-faults.js";
import type { LoggedRequest } from "./question.js";
import { send } from "./send.js";

/** Google's resumable upload: a start that gives an address, then the bytes. */
export async function uploadFile(service: Service, request: LoggedRequest, response: ServerResponse): Promise<void> {
  const command = String(request.headers["x-goog-upload-command"] ?? "");
  const reply = (headers: Record<string, string>, body: object): Promise<boolean> =>
    send(
      response,
      {
        status: 200,
        headers: { "content-type": "application/json", ...headers },
        body: Buffer.from(JSON.stringify(body)),
      },
      { how: "whole" },
    );
  if (command === "start") {
    const url = `${service.server.origin}/upload/v1beta/files?upload_id=${service.files.size + 1}&upload_protocol=resumable`;
    return void (await reply({ "x-goog-upload-url": url, "x-goog-upload-status": "active" }, {}));
  }
  if (!command.includes("finalize"))
    return sendFault(service, response, googleError(400, `Upload command not understood: ${command}`));
  const name = `files/up${service.files.size + 1}`;
  const content = Buffer.from(request.text);
  service.files.set(name, { id: name, filename: name, purpose: "batch", content });
  const file = {
    name,
    mimeType: "application/jsonl",
    sizeBytes: String(content.length),
    uri: `${service.server.origin}/v1beta/${name}`,
    state: "ACTIVE",
  };
  await reply({ "x-goog-upload-status": "final" }, { file });
}

export async function downloadFile(service: Service, request: LoggedRequest, response: ServerResponse): Promise<void> {
  const name = /(files\/[^/:]+):download$/.exec(request.path)?.[1] ?? "";
  const file = service.files.get(name);
  if (!file) return sendFault(service, response, googleError(404, "Requested entity was not found."));
  await send(
    response,
    { status: 200, headers: { "content-type": "application/octet-stream" }, body: file.content },
    { how: "whole" },
  );
}
