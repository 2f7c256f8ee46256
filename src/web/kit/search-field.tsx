import { useEffect, useId, useRef, useState } from 'react'
import { LIMITS } from '#contract/shared/limits.ts'
import { CONTROL_CLASS, LABEL_CLASS } from '#web/ui/field-frame.tsx'
import { X } from '#web/ui/icons/x.ts'

/** How long the user must pause typing before the search starts, in ms. */
const REST_MS = 300

type SearchFieldProps = {
  value: string
  onSearch: (search: string) => void
  /** Names the fields that are searched. */
  hint: string
}

/** Searches while the user types. Enter searches at once. The clear button and Escape clear the search. */
export function SearchField({ value, onSearch, hint }: SearchFieldProps) {
  const id = useId()
  const hintId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  // The value was changed from outside, for example by the Back button, and not by typing.
  if (value !== known) {
    setKnown(value)
    if (value !== typed.trim()) setTyped(value)
  }
  const search = useRef(onSearch)
  useEffect(() => {
    search.current = onSearch
  })
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => search.current(typed.trim()), REST_MS)
    return () => clearTimeout(timer)
  }, [typed, value])
  const clear = () => {
    setTyped('')
    onSearch('')
    field.current?.focus()
  }

  return (
    <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <label htmlFor={id} className={LABEL_CLASS}>
          Search
        </label>
        <span id={hintId} className="text-sm text-ink-soft">
          {hint}
        </span>
      </div>
      <div className="relative">
        <input
          ref={field}
          id={id}
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={LIMITS.appointmentSearch}
          aria-describedby={hintId}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          // Applies the typed text before the next click takes effect.
          onBlur={() => typed.trim() !== value && onSearch(typed.trim())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onSearch(typed.trim())
            if (event.key === 'Escape' && typed !== '') clear()
          }}
          className={`${CONTROL_CLASS} pe-11 [&::-webkit-search-cancel-button]:hidden`}
        />
        {typed !== '' && (
          <button
            type="button"
            aria-label="Clear search"
            onClick={clear}
            className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-control text-ink-soft hover:text-ink"
          >
            <X aria-hidden="true" className="size-5" />
          </button>
        )}
      </div>
    </div>
  )
}
