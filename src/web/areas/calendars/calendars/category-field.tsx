import { useState } from 'react'
import { CATEGORIES, LIMITS } from '#contract/shared/limits.ts'
import { TextField } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'

/** Option values that stand for no category and for a custom category. */
const NONE = '-none'
const OTHER = '-other'

const OPTIONS = [
  { value: NONE, label: 'No category' },
  ...CATEGORIES.map((category) => ({ value: category, label: category })),
  { value: OTHER, label: 'Other' },
]

type CategoryFieldProps = {
  /** The category; empty if none is chosen. */
  value: string
  onChange: (category: string) => void
  error?: string | undefined
}

/** Lets the owner choose the professional's category: one of eight, or a custom one. Source: rule C1. */
export function CategoryField({ value, onChange, error }: CategoryFieldProps) {
  const isListed = CATEGORIES.some((category) => category === value)
  const [custom, setCustom] = useState(value !== '' && !isListed)
  const chosen = custom ? OTHER : value === '' ? NONE : value
  return (
    <>
      <Select
        label="Category"
        options={OPTIONS}
        value={chosen}
        onChange={(next) => {
          setCustom(next === OTHER)
          onChange(next === OTHER || next === NONE ? '' : next)
        }}
      />
      {custom && (
        <TextField
          label="Your category"
          placeholder="Physiotherapist"
          maxLength={LIMITS.category}
          value={value}
          error={error}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </>
  )
}
