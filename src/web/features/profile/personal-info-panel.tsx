import { useQuery } from '@tanstack/react-query'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { PersonalInfoForm } from './personal-info-form.tsx'
import { profileQuery } from './profile-queries.ts'

/** Who the owner is. `onSaved`: the name that other pages show may be another one. Source: spec §2 "Profile". */
export function PersonalInfoPanel({ onSaved }: { onSaved: () => void }) {
  const { data: profile, error, refetch } = useQuery(profileQuery)
  if (profile !== undefined) return <PersonalInfoForm profile={profile} onSaved={onSaved} />
  return (
    <Card title="Personal Info">
      {error === null ? (
        <LoadingState text="Loading your profile..." />
      ) : (
        <ErrorState title="Failed to load profile data" hint={error.message} onRetry={() => refetch()} />
      )}
    </Card>
  )
}
