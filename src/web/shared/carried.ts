/** Anything older was for a document that did not come. */
const FRESH_MS = 10_000

type Carried = { readonly value: unknown; readonly carriedAtMs: number }

/** Passes something to the next document of this tab. */
export function carry(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify({ value, carriedAtMs: Date.now() } satisfies Carried))
  } catch {
    // Storage is forbidden: the next document does without.
  }
}

/**
 * What the previous document passed on under that name, once; undefined where there is nothing. The name determines its
 * type.
 */
export function takeCarried<Value>(name: string): Value | undefined {
  try {
    const text = sessionStorage.getItem(keyOf(name))
    if (text === null) return undefined
    sessionStorage.removeItem(keyOf(name))
    const { value, carriedAtMs } = JSON.parse(text) as Carried // written above
    return Date.now() - carriedAtMs < FRESH_MS ? (value as Value) : undefined // carried by that name
  } catch {
    // Storage is forbidden: nothing was carried.
    return undefined
  }
}

function keyOf(name: string): string {
  return `carried-${name}`
}
