import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountSession } from '#contract/accounts/security.ts'
import * as at from '#contract/operations/addresses.ts'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Laptop } from '#web/ui/icons/laptop.ts'
import { Smartphone } from '#web/ui/icons/smartphone.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { formatMoment } from './format-moment.ts'
import { accountSessionsQuery } from './security-queries.ts'

const SIGN_OUT = ['security', 'sign-out']

/** Lists the logged-in devices and lets the owner sign them out. */
export function SessionsCard() {
  const query = useQuery(accountSessionsQuery)
  const { data: sessions } = query
  return (
    <Card
      title="Devices"
      description="Where you’re logged in. If you don’t recognize a device, sign it out and change your password."
    >
      {sessions !== undefined && <Sessions sessions={sessions} />}
      <LoadStatus query={query} loading="Loading your devices..." failed="Failed to load your devices">
        <SessionsPlaceholder />
      </LoadStatus>
    </Card>
  )
}

function Sessions({ sessions }: { sessions: readonly AccountSession[] }) {
  const client = useQueryClient()
  const [confirming, setConfirming] = useState(false)
  const others = sessions.filter(({ current }) => !current).length
  const names = nameDevices(sessions)
  const nameOf = ({ id }: AccountSession) => names.get(id) ?? ''
  const reload = () => client.invalidateQueries({ queryKey: accountSessionsQuery.queryKey })

  const signOut = useMutation({
    mutationKey: SIGN_OUT,
    mutationFn: (session: AccountSession) =>
      callApi(at.signOutSession, { params: { session_id: session.id } }),
    onSuccess: (_answer, session) => toast.success(`${nameOf(session)} was signed out`),
    onError: (problem) => toast.error(problem.message),
    onSettled: reload,
  })
  const signOutOthers = useMutation({
    mutationKey: SIGN_OUT,
    mutationFn: () => callApi(at.signOutOtherSessions),
    onSuccess: ({ signed_out }) => {
      setConfirming(false)
      toast.success(signed_out === 1 ? '1 device was signed out' : `${signed_out} devices were signed out`)
    },
    onError: (problem) => {
      // Close the dialog after `auth.required`: the login page opens, and the dialog would cover it.
      if (problem instanceof ApiProblem && problem.code === 'auth.required') setConfirming(false)
      toast.error(problem.message)
    },
    onSettled: reload,
  })

  // Ignores the second click of a double click, which happens before the button becomes pending.
  const isUnderWay = () => client.isMutating({ mutationKey: SIGN_OUT }) > 0

  return (
    <>
      <ul className="-my-4 divide-y divide-line">
        {sessions.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            name={nameOf(session)}
            pending={signOut.isPending && signOut.variables.id === session.id}
            onSignOut={() => isUnderWay() || signOut.mutate(session)}
          />
        ))}
      </ul>
      {others > 0 && (
        <Button className="mt-8" onClick={() => setConfirming(true)}>
          Sign out all other devices
        </Button>
      )}
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        title="Sign out all other devices?"
        description="Only this device stays logged in. Trusted devices will ask for a code again."
        confirmLabel="Sign out others"
        pendingLabel="Signing out..."
        pending={signOutOthers.isPending}
        onConfirm={() => isUnderWay() || signOutOthers.mutate()}
      />
    </>
  )
}

type SessionItemProps = {
  session: AccountSession
  /** The device's name in this list. */
  name: string
  pending: boolean
  onSignOut: () => void
}

const HANDHELD = ['iPhone', 'iPad', 'Android']

/** Shows one logged-in device. The current device has no button, because 'Sign Out' in the navigation signs it out. */
function SessionItem({ session, name, pending, onSignOut }: SessionItemProps) {
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
          {session.current ? 'In use now' : `Last used ${formatMoment(session.last_used_at)}`}
        </p>
        <p className="text-sm text-ink-soft">
          Logged in {formatMoment(session.created_at)}
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

/** Names each session, for example `Firefox on Windows (2)`. Sessions with the same name are numbered, the oldest first. */
function nameDevices(sessions: readonly AccountSession[]): ReadonlyMap<AccountSession['id'], string> {
  const firstSeen = sessions.toSorted((a, b) => a.created_at.localeCompare(b.created_at))
  const alike = Map.groupBy(firstSeen, kindOf)
  const names = [...alike].flatMap(([kind, twins]) =>
    twins.map(({ id }, index) => [id, twins.length === 1 ? kind : `${kind} (${index + 1})`] as const),
  )
  return new Map(names)
}

/** Returns the browser and the operating system, as far as they are known. */
function kindOf({ browser, system }: AccountSession): string {
  if (browser !== null && system !== null) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}

/** The placeholder of two `SessionItem`s. */
function SessionsPlaceholder() {
  return (
    <div className="-my-4 divide-y divide-line">
      <RepeatedPlaceholder count={2}>
        <div className="flex gap-4 py-4">
          <Skeleton className="size-6 shrink-0" />
          <div className="min-w-0 flex-1">
            <LinePlaceholder className="w-52" />
            <div className="mt-0.5">
              <LinePlaceholder className="w-32" />
            </div>
            <LinePlaceholder size="sm" className="w-72" />
          </div>
        </div>
      </RepeatedPlaceholder>
    </div>
  )
}
