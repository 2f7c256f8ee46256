import type { Calendar } from '#contract/calendars/calendars.ts'
import type { ExternalCalendar, ExternalCalendars } from '#contract/external-calendars/external-calendars.ts'
import { Switch } from '#web/ui/switch.tsx'
import { useSaveSettings } from './use-save-settings.ts'

type SyncSwitchesProps = { calendar: Calendar; external: ExternalCalendars }

/** Whether appointments are written there, and whether changes there are followed here. Source: rules G9 and G12. */
export function SyncSwitches({ calendar, external }: SyncSwitchesProps) {
  const { settings, save } = useSaveSettings(calendar.id, external.settings)
  const written = external.connections
    .flatMap(({ calendars }) => calendars)
    .find(({ writes_events }) => writes_events)
  return (
    <div className="flex flex-col gap-4">
      <Switch
        label="Auto Sync"
        hint={describeWriting(written)}
        checked={settings.auto_sync}
        onChange={(auto_sync) => save({ auto_sync })}
      />
      <Switch
        label="Two-way Sync"
        hint="An appointment that you move or delete there is moved or cancelled here, and its customer is told."
        checked={settings.two_way_sync}
        onChange={(two_way_sync) => save({ two_way_sync })}
      />
    </div>
  )
}

function describeWriting(written: ExternalCalendar | undefined): string {
  if (written === undefined) {
    return 'Nothing is written yet. Choose below to which of your calendars appointments are written.'
  }
  return written.is_gone
    ? `Appointments wait to be written, because ‘${written.name}’ is not there any more. Choose below another one.`
    : `Appointments are written to ‘${written.name}’ within seconds, and changed there when they change here.`
}
