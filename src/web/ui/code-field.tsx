import type { ChangeEvent } from 'react'
import { normaliseUserCode } from '#core/shared/typed-code.ts'
import { TextField } from './field.tsx'

type CodeFieldProps = Omit<Parameters<typeof TextField>[0], 'type' | 'autoComplete'> & {
  /** Called when the field holds six digits, typed or pasted. */
  onComplete?: (() => void) | undefined
}

/** A field for a single-use code. Phones suggest a code that has just arrived. The field accepts spaces and dashes. */
export function CodeField({ onComplete, onChange, ...field }: CodeFieldProps) {
  const follow = (event: ChangeEvent<HTMLInputElement>) => {
    const change = onChange?.(event)
    // Wait until the form has taken over the new value.
    if (/^\d{6}$/.test(normaliseUserCode(event.currentTarget.value)))
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
