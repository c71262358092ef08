import { accessSync, constants, statfsSync } from "node:fs";
import { connect } from "node:net";

/** Whether a file or a folder may be written to. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Bytes that are free where a path is. */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Whether something listens on a port of this machine. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(300, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
