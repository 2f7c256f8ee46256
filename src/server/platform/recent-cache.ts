/** Values by their keys: those that were used last. */
export type RecentCache<Value> = {
  readonly find: (key: string) => Value | null
  readonly keep: (key: string, value: Value) => void
}

/**
 * Builds a cache that is bounded by what it holds, because a number of values says nothing about memory where strangers choose how long
 * they are. `toLength` counts the characters of a value and its key; each is taken for two bytes, which V8 needs once one of a text is not
 * Latin-1. A value that is larger than the whole cache is not kept. Source: rule K12.
 */
export function buildRecentCache<Value>({
  maxBytes,
  toLength,
}: {
  readonly maxBytes: number
  readonly toLength: (value: Value, key: string) => number
}): RecentCache<Value> {
  // A map lists its keys in the order in which they were set.
  const kept = new Map<string, { readonly value: Value; readonly bytes: number }>()
  let keptBytes = 0
  const drop = (key: string): void => {
    keptBytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }
  return {
    find(key) {
      const found = kept.get(key)
      if (found === undefined) return null
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    keep(key, value) {
      drop(key)
      const bytes = 2 * toLength(value, key)
      if (bytes > maxBytes) return
      for (const oldest of kept.keys()) {
        if (keptBytes + bytes <= maxBytes) break
        drop(oldest)
      }
      kept.set(key, { value, bytes })
      keptBytes += bytes
    },
  }
}
