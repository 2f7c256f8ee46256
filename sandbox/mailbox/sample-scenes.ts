import type { HourCycle } from '#core/shared/hour-cycle.ts'
import type { AppointmentMailContent } from '#server/messages/emails/appointment-facts.ts'

/** The gallery's sets of sample data. */
export const SAMPLE_SCENE_NAMES = {
  everyday: 'An everyday appointment',
  online: 'Online, paid, two zones',
  long: 'Long names and addresses',
  right_to_left: 'Right-to-left names',
} as const
export type SampleSceneName = keyof typeof SAMPLE_SCENE_NAMES

const APPOINTMENT_ID = '5d0a5f0e-6c1b-4f53-9f0e-2a7c1d9b8e40'
const CALENDAR_ID = '0b9f4c1a-2f6d-4c58-8a3e-7d1e5f6a9c20'

type Scene = Omit<AppointmentMailContent, 'cancelUrl' | 'manageUrl' | 'ownerUrl' | 'stopUrl'> & {
  readonly hourCycle: HourCycle
}

/** An ordinary appointment in Bath with a location, a price to pay there, and a note from the customer. */
const EVERYDAY: Scene = {
  appointmentId: APPOINTMENT_ID,
  bookingReference: 'BK-1795772400123',
  sequence: 0,
  startsAt: '2026-12-01T09:30:00Z',
  endsAt: '2026-12-01T10:15:00Z',
  movedFrom: '2026-11-30T14:00:00Z',
  timeZone: 'Europe/London',
  customerTimeZone: 'Europe/London',
  hourCycle: 'h12',
  bookedBy: 'customer',
  title: 'First consultation',
  isOwnersTitle: false,
  description: 'My left knee hurts when I climb stairs. I can come ten minutes early.',
  customer: { name: 'Alex Morgan', email: 'alex.morgan@example.org', phone: '+44 20 7946 0123' },
  owner: { name: 'Maya Fielding', email: 'maya@harbour.example' },
  calendar: {
    name: 'Harbour Physiotherapy',
    color: '#0f766e',
    professionalName: 'Maya Fielding',
    slug: 'harbour-physiotherapy',
  },
  typeName: 'First consultation',
  priceCents: 6_500,
  currency: 'eur',
  paymentStatus: 'pending',
  paidInSandbox: false,
  movesAlone: true,
  isOnline: false,
  location: { name: 'Harbour Practice', address: '12 Quay Street, Bath BA1 2AB' },
  emailCode: '042817',
  createdAt: '2026-11-20T10:00:00Z',
  updatedAt: '2026-11-21T11:00:00Z',
}

/** Sample appointments. Each scene tests a different aspect of the emails. */
export const SAMPLE_APPOINTMENTS_BY_SCENE: Readonly<Record<SampleSceneName, Scene>> = {
  everyday: EVERYDAY,
  online: {
    ...EVERYDAY,
    timeZone: 'America/St_Johns',
    customerTimeZone: 'Asia/Kathmandu',
    startsAt: '2026-12-01T20:00:00Z',
    endsAt: '2026-12-01T20:45:00Z',
    customer: { name: 'Sunita Rai', email: 'sunita.rai@example.org', phone: null },
    calendar: { ...EVERYDAY.calendar, name: 'Signal Hill Coaching', color: '#fff3b0' },
    title: 'Career talk',
    typeName: 'Career talk',
    description: null,
    priceCents: 12_000,
    currency: 'usd',
    paymentStatus: 'paid',
    isOnline: true,
    location: null,
  },
  long: {
    ...EVERYDAY,
    customer: {
      name: 'Maximiliane Konstanze Freifrau von Hohenstein-Waldburg zu Wolfegg und Waldsee',
      email: 'maximiliane.konstanze.von.hohenstein-waldburg-zu-wolfegg@a-very-long-mail-provider.example',
      phone: '+49 7524 968 123 456',
    },
    calendar: {
      ...EVERYDAY.calendar,
      name: 'Gemeinschaftspraxis für Physiotherapie, Osteopathie und Rehabilitationsmedizin Oberschwaben',
      color: '#111827',
      professionalName: 'Prof. Dr. med. Anna-Katharina Schulze-Bernstorff',
    },
    timeZone: 'Europe/Berlin',
    customerTimeZone: 'Europe/Berlin',
    hourCycle: 'h23',
    title: 'Second opinion about the results of the examination in November, with both parents',
    typeName: 'Consultation of ninety minutes with all documents',
    description:
      'Dear practice,\n\nplease find my questions here:\n1. May I run again?\n2. Which of the exercises are still right for me?\n\nhttps://documents.example/a/very/long/address/without/any/space/in/it/that/has/to/break/somewhere/4f53-9f0e-2a7c1d9b8e40',
    endsAt: '2026-12-01T11:00:00Z',
    location: {
      name: 'Rehabilitationszentrum am Stadtpark, Haus C',
      address:
        'Eingang Gartenseite, 3. Obergeschoss links, Waldseer Straße 128–134, 88400 Biberach an der Riß, Deutschland',
    },
  },
  right_to_left: {
    ...EVERYDAY,
    timeZone: 'Asia/Jerusalem',
    customerTimeZone: 'Asia/Jerusalem',
    hourCycle: 'h23',
    customer: { name: 'דנה לוי', email: 'dana@example.org', phone: '+972 3 555 0123' },
    owner: { name: 'ליאור כהן', email: 'lior@example.org' },
    calendar: {
      ...EVERYDAY.calendar,
      name: 'קליניקה ברחוב הנמל',
      color: '#be185d',
      professionalName: 'ד״ר ליאור כהן',
    },
    title: 'פגישה ראשונה',
    typeName: 'פגישה ראשונה',
    description: 'שלום, אשמח לדבר על הברך שלי.',
    location: { name: 'קליניקה', address: 'הנמל 12, תל אביב' },
  },
}

/** Adds links to a scene. They lead to no real appointment. */
export function toSampleMailContent(scene: Scene, baseUrl: string): AppointmentMailContent {
  return {
    ...scene,
    cancelUrl: `${baseUrl}/cancel/${scene.appointmentId}`,
    manageUrl: `${baseUrl}/manage/sample`,
    calendarFileUrl: `${baseUrl}/api/public/manage/sample/appointment.ics`,
    ownerUrl: sampleOwnerUrl(baseUrl),
    stopUrl: `${baseUrl}/cancel/emails`,
  }
}

export function sampleOwnerUrl(baseUrl: string): string {
  return `${baseUrl}/calendar/${CALENDAR_ID}/settings?tab=appointments`
}
