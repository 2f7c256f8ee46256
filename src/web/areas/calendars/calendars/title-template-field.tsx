import { LIMITS } from '#contract/shared/limits.ts'
import { renderTitle, type TitleTemplateValues } from '#core/appointments/title-template.ts'
import { TextField } from '#web/ui/field.tsx'

const PLACEHOLDERS = [
  '{{calendar_name}}',
  '{{professional_first_name}}',
  '{{professional_last_name}}',
  '{{professional_full_name}}',
] as const

type TitleTemplateFieldProps = {
  value: string
  onChange: (template: string) => void
  names: TitleTemplateValues
  error?: string | undefined
}

/** Lets the owner edit the default title of bookings, with placeholders and an example. Source: rule B10. */
export function TitleTemplateField({ value, onChange, names, error }: TitleTemplateFieldProps) {
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label="Default title"
        maxLength={LIMITS.titleTemplate}
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
        hint={
          <>
            Reads: <strong className="text-ink">{renderTitle(value, names)}</strong>
          </>
        }
      />
      <fieldset className="flex flex-wrap items-center gap-1.5">
        <legend className="mb-1 text-sm text-ink-soft">
          Placeholders are replaced with the names of the calendar and its professional:
        </legend>
        {PLACEHOLDERS.map((placeholder) => (
          <button
            key={placeholder}
            type="button"
            aria-label={`Insert ${placeholder}`}
            onClick={() =>
              onChange(`${value.trimEnd()} ${placeholder}`.trimStart().slice(0, LIMITS.titleTemplate))
            }
            className="rounded-lg border border-line bg-sunken px-2 py-1 font-mono text-sm text-ink-soft hover:border-ink hover:text-ink touch:min-h-11"
          >
            {placeholder}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
