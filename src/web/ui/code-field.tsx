import type { ChangeEvent } from 'react'
import { normaliseTypedCode } from '#core/shared/typed-code.ts'
import { TextField } from './field.tsx'

type CodeFieldProps = Omit<Parameters<typeof TextField>[0], 'type' | 'autoComplete'> & {
  /** Called as soon as the six digits of an app are there, typed or pasted. */
  onComplete?: (() => void) | undefined
}

/** A single-use code. Phones suggest the code that has just arrived. Every usual way of typing it is accepted. */
export function CodeField({ onComplete, onChange, ...field }: CodeFieldProps) {
  const follow = (event: ChangeEvent<HTMLInputElement>) => {
    const change = onChange?.(event)
    // The form takes over the new value first.
    if (/^\d{6}$/.test(normaliseTypedCode(event.currentTarget.value)))
      void Promise.resolve(change).then(() => onComplete?.())
  }
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={32}
      {...field}
      type="text"
      autoComplete="one-time-code"
      onChange={follow}
    />
  )
}
