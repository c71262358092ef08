/** The demo's terminal shows the address to sign in at, not a line for each request. */
export function sayProblems(line: string): void {
  if (!isRoutine(line)) process.stderr.write(line);
}

const isRoutine = (line: string) => line.startsWith('{"level":30,');

/** Lines of one turn of the event loop are written together: each is a call of the system that waits. A line about a problem is written at once. */
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
