import { z } from 'zod'
import { type Profile, profileFields } from '#contract/accounts/profile.ts'
import { LIMITS } from '#contract/shared/limits.ts'

/** What the form edits. The password is asked for when the address is another one. */
export const profileForm = z.object({
  ...profileFields,
  current_password: z.string().max(LIMITS.passwordMax),
})
export type ProfileForm = z.input<typeof profileForm>

/** The zone of a profile that has none yet. Source: rule U12. */
export const PROFILE_TIME_ZONE = 'America/New_York'

/** The form's values for a profile. */
export function toProfileForm(profile: Profile): ProfileForm {
  return {
    first_name: profile.first_name,
    last_name: profile.last_name,
    email: profile.email,
    phone: profile.phone ?? '',
    time_zone: profile.time_zone ?? PROFILE_TIME_ZONE,
    bio: profile.bio ?? '',
    current_password: '',
  }
}

/** The head of the card, which is there before the profile is loaded. */
export const PROFILE_HEAD = {
  title: 'Personal Info',
  description: 'Who you are to us. What customers see is set in each calendar.',
} as const

export const PROFILE_LABELS = {
  first_name: 'First Name',
  last_name: 'Last Name',
  email: 'Email',
  phone: 'Phone',
  time_zone: 'Time Zone',
  bio: 'Bio',
} as const
