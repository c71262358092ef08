/** Saves a text as a file, without network requests. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // By then the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
