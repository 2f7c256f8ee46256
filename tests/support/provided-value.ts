import type { ProvidedContext } from 'vitest'

/**
 * Returns a value from Vitest's global setup. Vitest is imported only here, because the proofs run outside Vitest and import this
 * file too.
 */
export async function providedValue<Name extends keyof ProvidedContext>(
  name: Name,
): Promise<ProvidedContext[Name]> {
  const { inject } = await import('vitest')
  return inject(name)
}
