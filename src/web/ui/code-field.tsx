import type { ChangeEvent } from 'react'
import { TextField } from './field.tsx'

type CodeFieldProps = Omit<Parameters<typeof TextField>[0], 'type' | 'autoComplete'> & {
  /** Called as soon as the six digits of an app are there, typed or pasted. */
  onComplete?: (() => void) | undefined
}

/** A code that is good once. Phones offer the one that just arrived, and blanks in a pasted one do not matter. */
export function CodeField({ onComplete, onChange, ...field }: CodeFieldProps) {
  const follow = (event: ChangeEvent<HTMLInputElement>) => {
    const change = onChange?.(event)
    const typed = event.currentTarget.value.replace(/\s/g, '')
    // The form takes over the new value first.
    if (/^\d{6}$/.test(typed)) void Promise.resolve(change).then(() => onComplete?.())
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
