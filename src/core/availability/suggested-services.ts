/** A service that is suggested to a new owner, who can change it before it is created. */
export type SuggestedService = { readonly name: string; readonly durationMinutes: number }

/** The suggestions for each profession that the product knows. Source: rule U33. */
const SERVICES_OF_PROFESSIONS: Readonly<Record<string, readonly SuggestedService[]>> = {
  Therapist: [
    { name: 'First consultation', durationMinutes: 50 },
    { name: 'Session', durationMinutes: 50 },
    { name: 'Couple session', durationMinutes: 90 },
  ],
  Doctor: [
    { name: 'First visit', durationMinutes: 30 },
    { name: 'Consultation', durationMinutes: 15 },
    { name: 'Check-up', durationMinutes: 30 },
  ],
  Consultant: [
    { name: 'Introductory call', durationMinutes: 30 },
    { name: 'Consultation', durationMinutes: 60 },
    { name: 'Workshop', durationMinutes: 120 },
  ],
  Coach: [
    { name: 'Introductory call', durationMinutes: 30 },
    { name: 'Coaching session', durationMinutes: 60 },
  ],
  Lawyer: [
    { name: 'Initial consultation', durationMinutes: 30 },
    { name: 'Consultation', durationMinutes: 60 },
  ],
  Teacher: [
    { name: 'Trial lesson', durationMinutes: 30 },
    { name: 'Lesson', durationMinutes: 60 },
  ],
  Designer: [
    { name: 'Introductory call', durationMinutes: 30 },
    { name: 'Design review', durationMinutes: 60 },
  ],
  Developer: [
    { name: 'Introductory call', durationMinutes: 30 },
    { name: 'Working session', durationMinutes: 60 },
  ],
}

const PHYSICAL_THERAPY: readonly SuggestedService[] = [
  { name: 'First appointment', durationMinutes: 45 },
  { name: 'Treatment', durationMinutes: 30 },
]

/** Professions that owners type themselves, in lower case. The first pattern that fits counts. */
const TYPED_PROFESSIONS: readonly (readonly [RegExp, readonly SuggestedService[]])[] = [
  [/physio|physical therap|osteopath|massage|chiropract/, PHYSICAL_THERAPY],
  [/psycholog|psychiatr|therap|counsel/, SERVICES_OF_PROFESSIONS.Therapist ?? []],
  [/physician|dentist|pediatric|paediatric|\bgp\b/, SERVICES_OF_PROFESSIONS.Doctor ?? []],
  [/attorney|solicitor|notary|barrister/, SERVICES_OF_PROFESSIONS.Lawyer ?? []],
  [/tutor|instructor|trainer/, SERVICES_OF_PROFESSIONS.Teacher ?? []],
]

const OF_ANY_PROFESSION: readonly SuggestedService[] = [
  { name: 'First appointment', durationMinutes: 30 },
  { name: 'Appointment', durationMinutes: 60 },
]

/** Returns the services to suggest for a profession, which is one of the known ones, typed by the owner, or empty. */
export function suggestServices(profession: string | null): readonly SuggestedService[] {
  const name = profession ?? ''
  const known = Object.hasOwn(SERVICES_OF_PROFESSIONS, name) ? SERVICES_OF_PROFESSIONS[name] : undefined
  if (known !== undefined) return known
  const typed = name.toLowerCase()
  return TYPED_PROFESSIONS.find(([pattern]) => pattern.test(typed))?.[1] ?? OF_ANY_PROFESSION
}
