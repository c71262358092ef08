// Keeps a core busy with what these programs do most, objects and their JSON, and shares nothing with any of them.
const one = {
  id: "decision",
  community: "community",
  content: "words ".repeat(100),
  audit: Array.from({ length: 50 }, (_, i) => ({ i })),
};
console.log("Listening on nothing");
for (;;) {
  for (let i = 0; i < 1000; i++) JSON.parse(JSON.stringify({ ...one, i }));
  await new Promise(setImmediate);
}
