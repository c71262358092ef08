/** The demo's terminal shows the sign-in address, not a line per request. */
export function sayProblems(line: string): void {
  if (!isRoutine(line)) process.stderr.write(line);
}

const isRoutine = (line: string) => line.startsWith('{"level":30,');

/** Writes the lines of one turn of the event loop together, because each write is a blocking system call. A problem is written at once. */
export function gathered(stream: { write(text: string): unknown }): (line: string) => void {
  let waiting = "";
  const flush = () => {
    const text = waiting;
    waiting = "";
    if (text !== "") stream.write(text);
  };
  return (line) => {
    if (waiting === "") setImmediate(flush);
    waiting += line;
    if (!isRoutine(line)) flush();
  };
}
