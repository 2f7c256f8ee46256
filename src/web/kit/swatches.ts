/** Clearly distinct colours to choose from. The first is the default. */
export const SWATCHES = [
  ['#3498db', 'Blue'],
  ['#16a085', 'Teal'],
  ['#27ae60', 'Green'],
  ['#f39c12', 'Amber'],
  ['#e67e22', 'Orange'],
  ['#e74c3c', 'Red'],
  ['#d6589f', 'Pink'],
  ['#8e44ad', 'Purple'],
  ['#34495e', 'Slate'],
] as const

/** Returns the first colour that is not used yet; null when all are used. */
export function findUnusedColor(used: readonly string[]): string | null {
  const taken = new Set(used.map((color) => color.toLowerCase()))
  return SWATCHES.find(([color]) => !taken.has(color))?.[0] ?? null
}
