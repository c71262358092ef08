type Handlers = { readonly [Type in keyof WindowEventMap]?: (event: WindowEventMap[Type]) => void };

/** Listens to window events. Returns a function that stops it. */
export function listen(handlers: Handlers): () => void {
  const entries = Object.entries(handlers) as [string, EventListener][];
  for (const [type, handler] of entries) window.addEventListener(type, handler);
  return () => {
    for (const [type, handler] of entries) window.removeEventListener(type, handler);
  };
}

const FIELDS = "input, select, textarea";

/** Whether a key press belongs to a field or to the browser. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent, fields = FIELDS): boolean {
  const field = target instanceof HTMLElement && target.closest(fields) !== null;
  return field || ctrlKey || metaKey || altKey;
}
