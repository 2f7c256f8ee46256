import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnSession } from '#contract/accounts/security.ts'
import * as at from '#contract/operations/addresses.ts'
import { LoadingShape } from '#web/kit/loading-shape.tsx'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { toast } from '#web/ui/toast.tsx'
import { nameDevices } from './device-names.ts'
import { SessionsPlaceholder } from './security-placeholders.tsx'
import { ownSessionsQuery } from './security-queries.ts'
import { SessionItem } from './session-item.tsx'

const SIGN_OUT = ['security', 'sign-out']

/** The devices where the owner is logged in, and how to sign them out. */
export function SessionsCard() {
  const { data: sessions, error, refetch } = useQuery(ownSessionsQuery)
  return (
    <Card
      title="Devices"
      description="Where you are logged in. If you do not know one, sign it out and change your password."
    >
      {sessions !== undefined && <Sessions sessions={sessions} />}
      {sessions === undefined && error === null && (
        <LoadingShape text="Loading your devices...">
          <SessionsPlaceholder />
        </LoadingShape>
      )}
      {sessions === undefined && error !== null && (
        <ErrorState title="Failed to load your devices" hint={error.message} onRetry={() => refetch()} />
      )}
    </Card>
  )
}

function Sessions({ sessions }: { sessions: readonly OwnSession[] }) {
  const client = useQueryClient()
  const [confirming, setConfirming] = useState(false)
  const others = sessions.filter(({ current }) => !current).length
  const names = nameDevices(sessions)
  const nameOf = ({ id }: OwnSession) => names.get(id) ?? ''
  const reload = () => client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey })

  const signOut = useMutation({
    mutationKey: SIGN_OUT,
    mutationFn: (session: OwnSession) => callApi(at.signOutSession, { params: { session_id: session.id } }),
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
      // A guest is led to the login; the question would be in the way.
      if (problem instanceof ApiProblem && problem.code === 'auth.required') setConfirming(false)
      toast.error(problem.message)
    },
    onSettled: reload,
  })

  // The second press of a double click comes before the button can show that it is pending.
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
        description="Only this one stays logged in. Devices you trusted ask for a code again."
        confirmLabel="Sign out others"
        pendingLabel="Signing out..."
        pending={signOutOthers.isPending}
        onConfirm={() => isUnderWay() || signOutOthers.mutate()}
      />
    </>
  )
}
