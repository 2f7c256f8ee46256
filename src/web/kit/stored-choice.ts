import { useSyncExternalStore } from 'react'

/**
 * A choice that this browser remembers in local storage, under the key `name`. All components and tabs agree on it. If storage is
 * blocked, the choice applies to this page only. Null until the user chooses one of the `options`.
 */
export function makeStoredChoice<Choice extends string>(name: string, options: readonly Choice[]) {
  const listeners = new Set<() => void>()
  let unstored: Choice | null = null
  const read = (): Choice | null => {
    try {
      const stored = localStorage.getItem(name)
      return options.find((option) => option === stored) ?? null
    } catch {
      return unstored
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
      unstored = choice
      try {
        localStorage.setItem(name, choice)
      } catch {
        // The choice applies to this page only.
      }
      for (const listener of listeners) listener()
    },
  }
}
