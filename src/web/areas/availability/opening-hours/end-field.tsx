import { type Ref, useState } from 'react'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/field.tsx'

type EndFieldProps = {
  id: string
  /** The time as `HH:MM`. `24:00`, which a time input cannot show, is the end of the day. */
  value: string
  onChange: (value: string) => void
  inputRef?: Ref<HTMLInputElement> | undefined
  error: string | undefined
  className?: string | undefined
}

/** Offered when a stored range no longer lasts until midnight. It is after almost every start. */
const LAST_FULL_HOUR = '23:00'

/** Lets the owner enter the end of a range: a time, or midnight. */
export function RangeEndField({ id, value, onChange, inputRef, error, className }: EndFieldProps) {
  const isMidnight = value === '24:00'
  const [before, setBefore] = useState(isMidnight ? LAST_FULL_HOUR : value)
  return (
    <div className={className}>
      <TextField
        id={id}
        ref={inputRef}
        label="End time"
        type="time"
        step={300}
        disabled={isMidnight}
        value={isMidnight ? '00:00' : value}
        onChange={(event) => onChange(event.target.value)}
        error={error}
      />
      <Checkbox
        label="Until midnight"
        checked={isMidnight}
        onChange={(checked) => {
          if (checked) setBefore(value)
          onChange(checked ? '24:00' : before)
        }}
        className="mt-3"
      />
    </div>
  )
}
