import { useState } from 'react'
import { COMMON_TIME_ZONES } from '#contract/shared/limits.ts'
import { zoneCityOf } from '#contract/shared/zone-names.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { Select } from '#web/ui/select.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { UiKitSection } from './kit-section.tsx'

const FALLBACKS = [
  { value: 'trust_copy', label: 'Trust the last copy', hint: 'For up to 24 hours.' },
  { value: 'offer_nothing', label: 'Offer nothing' },
] as const

/** Shows the form fields. */
export function FieldsSection() {
  const [category, setCategory] = useState<string | null>(null)
  const [timeZone, setTimeZone] = useState<string>('Europe/London')
  const [on, setOn] = useState(true)
  const [checked, setChecked] = useState(true)
  const [fallback, setFallback] = useState<(typeof FALLBACKS)[number]['value']>('trust_copy')
  return (
    <UiKitSection title="Fields">
      <div className="grid items-start gap-6 sm:grid-cols-2 lg:grid-cols-3">
        <TextField label="Full Name" required autoComplete="name" />
        <TextField label="Phone" hint="Only if we need to reach you." placeholder="+44 20 7946 0000" />
        <TextField
          label="Email Address"
          required
          defaultValue="ada@"
          error="Please enter a valid email address"
        />
        <TextField label="Slug" disabled defaultValue="ada-byron" />
        <TextField label="Public link" readOnly defaultValue="http://localhost/book/ada-byron" />
        <PasswordField hint="At least 8 characters." defaultValue="correct horse" />
        <TextArea label="Additional Notes" placeholder="Anything we should know beforehand?" />
        <Select
          label="Category"
          options={CATEGORY_OPTIONS}
          value={category}
          onChange={setCategory}
          hint="Shown beside your name."
        />
        <Combobox
          label="Time zone"
          options={ZONE_OPTIONS}
          value={timeZone}
          onChange={setTimeZone}
          hint="Your opening hours are in this zone."
        />
        <div className="space-y-4">
          <Switch label="Enable payment for appointments" checked={on} onChange={setOn} />
          <Switch label="Auto Sync" hint="Every few minutes." checked={false} onChange={noop} />
          <Switch label="Not available" checked disabled onChange={noop} />
        </div>
        <div className="space-y-4">
          <Checkbox label="Require a title" checked={checked} onChange={setChecked} />
          <Checkbox label="Online" hint="By video call." checked={false} onChange={noop} />
          <Checkbox label="Not available" checked={false} disabled onChange={noop} />
        </div>
        <RadioGroup
          legend="When a calendar can’t be checked"
          options={FALLBACKS}
          value={fallback}
          onChange={setFallback}
        />
      </div>
    </UiKitSection>
  )
}

const CATEGORY_OPTIONS = ['Therapist', 'Doctor', 'Coach'].map((name) => ({ value: name, label: name }))
const ZONE_OPTIONS = COMMON_TIME_ZONES.map((zone) => ({ value: zone, label: zoneCityOf(zone) }))

function noop(): void {}
