declare module "virtual:notation" {
  const notation: { symbol: string; meaning: string }[];
  export default notation;
}
