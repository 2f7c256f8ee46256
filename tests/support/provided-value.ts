import type { ProvidedContext } from 'vitest'

/** A value from the global set-up of Vitest, which is loaded here only: the proofs run outside Vitest and import this file too. */
export async function providedValue<Name extends keyof ProvidedContext>(
  name: Name,
): Promise<ProvidedContext[Name]> {
  const { inject } = await import('vitest')
  return inject(name)
}
