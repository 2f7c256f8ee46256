import { useSyncExternalStore } from 'react'

/**
 * A choice that this browser remembers in local storage, under the key `name`. All components and tabs agree on it. If storage is
 * blocked, the choice applies to this page only. Null until the user chooses one of the `options`.
 */
export function makeStoredChoice<Choice extends string>(name: string, options: readonly Choice[]) {
  const listeners = new Set<() => void>()
  /** The choice that could not be stored. It applies to this page only. */
  let unstored: Choice | null = null
  const read = (): Choice | null => {
    if (unstored !== null) return unstored
    try {
      const stored = localStorage.getItem(name)
      return options.find((option) => option === stored) ?? null
    } catch {
      return null
    }
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    addEventListener('storage', listener)
    return () => {
      listeners.delete(listener)
      removeEventListener('storage', listener)
    }
  }
  return {
    useChoice: () => useSyncExternalStore(subscribe, read, () => null),
    choose: (choice: Choice) => {
      try {
        localStorage.setItem(name, choice)
        unstored = null
      } catch {
        unstored = choice
      }
      for (const listener of listeners) listener()
    },
  }
}
