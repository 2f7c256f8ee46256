import { useId } from 'react'
import { FieldNotes, LABEL_CLASS } from '#web/ui/field-frame.tsx'
import { SWATCHES } from './swatches.ts'

const HEX = /^#[0-9a-f]{6}$/i

type ColorFieldProps = {
  label: string
  /** `#rrggbb`, or any text while the user is typing. */
  value: string
  onChange: (color: string) => void
  hint?: string | undefined
  error?: string | undefined
}

/** Lets the user choose a colour by swatch, with the browser's colour picker, or as a hex code. */
export function ColorField({ label, value, onChange, hint, error }: ColorFieldProps) {
  const id = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className={`${LABEL_CLASS} mb-1.5`}>{label}</legend>
      <div className="flex flex-wrap items-center gap-1.5">
        {SWATCHES.map(([color, name]) => (
          <label
            key={color}
            title={name}
            className="grid size-9 cursor-pointer place-items-center rounded-full border-2 border-transparent has-checked:border-ink touch:size-11"
          >
            <input
              type="radio"
              name={id}
              value={color}
              aria-label={name}
              checked={value.toLowerCase() === color}
              onChange={() => onChange(color)}
              className="sr-only"
            />
            <span aria-hidden="true" className="size-7 rounded-full" style={{ backgroundColor: color }} />
          </label>
        ))}
      </div>
      <div className="mt-1 flex items-center gap-2">
        <input
          type="color"
          aria-label={`${label}: choose any`}
          value={HEX.test(value) ? value.toLowerCase() : '#000000'}
          onChange={(event) => onChange(event.target.value)}
          className="h-11 w-14 shrink-0 cursor-pointer rounded-control border border-line-strong bg-surface p-1"
        />
        <input
          type="text"
          aria-label={`${label}: hex code`}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          value={value}
          maxLength={7}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value.trim())}
          className="min-h-11 w-28 rounded-control border border-line-strong bg-surface px-3 py-2 font-mono text-base text-ink hover:border-ink aria-invalid:border-danger"
        />
      </div>
      <FieldNotes id={id} hint={hint} error={error} />
    </fieldset>
  )
}
