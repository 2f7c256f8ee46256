import type { OwnSession } from '#contract/accounts/security.ts'
import { browserTimeZone, formatShortDate, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Laptop } from '#web/ui/icons/laptop.ts'
import { Smartphone } from '#web/ui/icons/smartphone.ts'

type SessionItemProps = {
  session: OwnSession
  /** What it is called in this list. */
  name: string
  pending: boolean
  onSignOut: () => void
}

const HANDHELD = ['iPhone', 'iPad', 'Android']

/** One logged-in device. This one has no button, because it signs out at the top of the page. */
export function SessionItem({ session, name, pending, onSignOut }: SessionItemProps) {
  const Icon = HANDHELD.includes(session.system ?? '') ? Smartphone : Laptop
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <Icon aria-hidden="true" className="size-6 shrink-0 self-start text-ink-soft" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          {name}
          {session.current && <Badge tone="success">This device</Badge>}
        </p>
        <p className="mt-0.5 text-ink-soft">
          {session.current ? 'In use now' : `Last used ${moment(session.last_used_at)}`}
        </p>
        <p className="text-sm text-ink-soft">
          Logged in {moment(session.created_at)}
          {session.ip_address !== null && (
            <>
              {' from '}
              <span className="break-all">{session.ip_address}</span>
            </>
          )}
        </p>
      </div>
      {!session.current && (
        <Button
          size="sm"
          className="max-sm:ms-10"
          pending={pending}
          aria-label={`Sign out ${name}`}
          onClick={onSignOut}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}

/** `Dec 1, 2026, 9:30 AM` in this browser's zone. */
function moment(instantIso: string): string {
  const timeZone = browserTimeZone()
  return `${formatShortDate(localDateOf(instantIso, timeZone))}, ${formatTime(instantIso, timeZone)}`
}
