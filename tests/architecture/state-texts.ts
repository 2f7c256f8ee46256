/** Something on its way, or that could not be had, as a source file says it. */
export type State = { readonly kind: 'loading' | 'failed'; readonly path: string; readonly text: string }

const USES = /<(?:LoadingState|LoadingShape|ErrorState|LoadError)\b/g
const TEXTS =
  /<(LoadingState|LoadingShape|ErrorState|LoadError)\b[^>]*?\b(?:text|title)=(?:"([^"]*)"|\{`([^`]*)`\}|(\{\w+\}))/g

/**
 * The texts that a file gives to `LoadingState`, `LoadingShape`, `ErrorState` and `LoadError`: what is filled in stays as it is written.
 * @throws Error where one is written in a way that is not understood here
 */
export function listStates(path: string, source: string): State[] {
  const states = [...source.matchAll(TEXTS)].map(
    ([, component, ...texts]): State => ({
      kind: component === 'ErrorState' || component === 'LoadError' ? 'failed' : 'loading',
      path,
      text: texts.find((text) => text !== undefined) ?? '',
    }),
  )
  if (states.length !== [...source.matchAll(USES)].length) {
    throw new Error(`${path} says in some other way what is loading or has failed`)
  }
  return states
}
