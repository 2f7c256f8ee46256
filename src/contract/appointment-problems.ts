/** Refusals of what an owner does with appointments (spec §4, §8 "Appointments"). */
export const APPOINTMENT_PROBLEMS = {
  'appointment.restore_conflict': {
    status: 409,
    title:
      'Cannot restore appointment: Time slot conflicts with existing appointments or Google Calendar events',
  },
} as const satisfies Record<string, { status: number; title: string }>
