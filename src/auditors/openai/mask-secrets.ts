/**
 * Writes stars over every key that a server repeats in its answer, in place: what is never in the bytes cannot get into a record, a cache or a message.
 * The length stays, so that the JSON around it does too.
 */
export function maskSecrets(bytes: Buffer, secrets: readonly string[]): void {
  for (const secret of secrets) {
    if (secret.length < 8) continue;
    for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, at))
      bytes.fill("*", at, at + secret.length);
  }
}
