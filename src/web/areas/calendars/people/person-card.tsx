import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { isolate } from '#core/shared/text.ts'
import { peopleQuery } from '#web/kit/people-query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChangePersonDialog } from './change-person-dialog.tsx'

/** Whose time a calendar takes, and giving the calendar to another person. Source: rules T38 and T41. */
export function PersonCard({ calendar }: { calendar: Calendar }) {
  const [isChanging, setChanging] = useState(false)
  const { data } = useQuery(peopleQuery)
  const { person } = calendar
  const others = data?.people
    .find(({ id }) => id === person.id)
    ?.calendars.filter(({ id }) => id !== calendar.id)
  return (
    <Card
      title="Whose time this is"
      description="A person is booked once at a time, over all their calendars."
      actions={<Button onClick={() => setChanging(true)}>Change person</Button>}
    >
      <p className="font-semibold wrap-anywhere">
        {isolate(person.name)}
        {person.is_owner && <span className="font-normal text-ink-soft"> (you)</span>}
      </p>
      {others !== undefined && (
        <p className="mt-1 text-sm wrap-anywhere text-ink-soft">
          {others.length === 0
            ? 'No other calendar takes this person’s time.'
            : `Also booked on: ${others.map(({ name }) => isolate(name)).join(', ')}`}
        </p>
      )}
      <ChangePersonDialog calendar={calendar} open={isChanging} onOpenChange={setChanging} />
    </Card>
  )
}
