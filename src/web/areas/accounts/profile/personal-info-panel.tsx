import { useQuery } from '@tanstack/react-query'
import { LoadError } from '#web/kit/load-error.tsx'
import { ButtonShape, LoadingShape } from '#web/kit/loading-shape.tsx'
import { Card } from '#web/ui/card.tsx'
import { PersonalInfoForm } from './personal-info-form.tsx'
import { PROFILE_HEAD } from './profile-form.ts'
import { PersonalInfoPlaceholder } from './profile-placeholders.tsx'
import { profileQuery } from './profile-queries.ts'

/** Personal information of the owner. `onSaved`: other pages may show another name now. Source: rule U11. */
export function PersonalInfoPanel({ onSaved }: { onSaved: () => void }) {
  const { data: profile, error, refetch } = useQuery(profileQuery)
  if (profile !== undefined) return <PersonalInfoForm profile={profile} onSaved={onSaved} />
  return (
    <Card {...PROFILE_HEAD} actions={error === null && <ButtonShape className="w-38" />}>
      {error === null ? (
        <LoadingShape text="Loading your profile...">
          <PersonalInfoPlaceholder />
        </LoadingShape>
      ) : (
        <LoadError
          error={error}
          title="Failed to load profile data"
          hint={error.message}
          onRetry={() => refetch()}
        />
      )}
    </Card>
  )
}
