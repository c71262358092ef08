/** What is kept under a key, made if it is not; of more than `most` the oldest goes, so that a slider's way fills no memory. */
export function keepFew<Value>(kept: Map<string, Value>, key: string, most: number, make: () => Value): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (kept.size >= most) kept.delete(kept.keys().next().value!);
  kept.set(key, made);
  return made;
}
