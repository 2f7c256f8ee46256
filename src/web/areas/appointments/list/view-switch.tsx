import { Choice } from '#web/ui/choice.tsx'
import type { AppointmentsViewName } from './appointments-view.ts'

const VIEWS = [
  { value: 'list', label: 'List' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
] as const satisfies readonly { value: AppointmentsViewName; label: string }[]

type ViewSwitchProps = { value: AppointmentsViewName; onChange: (view: AppointmentsViewName) => void }

/** A switch between the list, the day and the week of the appointments. */
export function ViewSwitch({ value, onChange }: ViewSwitchProps) {
  return <Choice legend="View" options={VIEWS} value={value} onChange={onChange} />
}
