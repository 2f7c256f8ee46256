import { useState } from 'react'
import { Pagination } from '#web/kit/pagination.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Table } from '#web/ui/table.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { UiKitSection } from './kit-section.tsx'

/** Shows the controls that users press, and those that list many items. */
export function ControlsSection() {
  const [page, setPage] = useState(4)
  const [tab, setTab] = useState('general')
  return (
    <UiKitSection title="Buttons, badges, tabs, tables">
      <div className="flex flex-wrap gap-3">
        <Button variant="primary">Book appointment</Button>
        <Button>Copy link</Button>
        <Button variant="ghost">Not now</Button>
        <Button variant="danger">Delete Calendar</Button>
        <ButtonLink href="/pricing">Upgrade Plan</ButtonLink>
        <Button variant="primary" pending pendingLabel="Creating...">
          Create
        </Button>
        <Button variant="primary" disabled>
          Update
        </Button>
        <Button disabled>Update</Button>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button size="sm">Small</Button>
        <Button>Medium</Button>
        <Button size="lg" variant="primary">
          Large
        </Button>
      </div>
      <div className="flex flex-wrap gap-2">
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </div>
      <Tabs
        label="Calendar settings"
        tabs={TAB_NAMES.map((name) => ({ id: name.toLowerCase(), label: name, panel: <p>{name} panel</p> }))}
        value={tab}
        onChange={setTab}
      />
      <Card title="Appointments" description="Manage your appointments and payment statuses">
        <Table
          caption="Appointments"
          columns={[
            { id: 'date', header: 'Date', cell: (row) => row.date },
            { id: 'customer', header: 'Customer', cell: (row) => row.customer },
            { id: 'status', header: 'Status', cell: (row) => <Badge tone="success">{row.status}</Badge> },
            { id: 'price', header: 'Price', align: 'end', cell: (row) => row.price },
          ]}
          rows={ROWS}
          rowKey={(row) => row.date}
        />
        <div className="mt-4">
          <Pagination page={page} totalPages={12} onChange={setPage} />
        </div>
      </Card>
    </UiKitSection>
  )
}

const TONES: BadgeTone[] = ['neutral', 'success', 'warning', 'danger', 'info', 'noon']
const TAB_NAMES = ['General', 'Availability', 'Appointments', 'Appointment Types', 'Payments', 'Locations']
const ROWS = [
  { date: 'December 1, 2026', customer: 'Ada Byron', status: 'Confirmed', price: '€40.00' },
  { date: 'December 2, 2026', customer: 'Sofia Kovalevskaya', status: 'Confirmed', price: '€1,240.00' },
]
