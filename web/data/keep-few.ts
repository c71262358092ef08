/** The cached value of a key. Beyond `most` the oldest entry is dropped, so that dragging a slider does not fill memory. */
export function keepFew<Value>(kept: Map<string, Value>, key: string, most: number, make: () => Value): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (kept.size >= most) kept.delete(kept.keys().next().value!);
  kept.set(key, made);
  return made;
}
