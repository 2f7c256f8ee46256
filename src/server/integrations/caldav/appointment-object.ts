import ICAL from 'ical.js'
import type { AppointmentEventContent } from '#server/ports/external-calendar.ts'
import { isInvitation } from '../icalendar/busy-rules.ts'
import { type ContentLine, parseContentLine } from '../icalendar/content-line.ts'
import { APPOINTMENT_PROPERTY } from '../icalendar/parse-event.ts'
import { findAppointmentProperty, toAppointmentProperty } from '../own-events/appointment-property.ts'

/** An appointment and the time at which it is written. */
export type AppointmentToWrite = AppointmentEventContent & { readonly writtenAtMs: number }

/**
 * Properties that make an event a series. They are removed: an appointment is always a single event, whatever the owner
 * or a program added.
 */
const SERIES_PROPERTIES = ['rrule', 'rdate', 'exdate', 'exrule', 'duration']

/**
 * Builds the calendar file of an appointment's event. Times are written in UTC, so the file needs no time zone
 * definitions.
 */
export function buildAppointmentObject(appointment: AppointmentToWrite): string {
  const calendar = new ICAL.Component('vcalendar')
  calendar.updatePropertyWithValue('version', '2.0')
  calendar.updatePropertyWithValue('prodid', '-//Meridian//Appointments//EN')
  const event = new ICAL.Component('vevent')
  event.updatePropertyWithValue('uid', appointment.icalUid)
  event.updatePropertyWithValue('transp', 'OPAQUE')
  calendar.addSubcomponent(event)
  writeAppointment(event, appointment)
  return calendar.toString()
}

/** A calendar object updated to the current appointment. */
export type UpdatedObject = {
  readonly text: string
  /**
   * The event's previous secret; null when it had none, or when another person organizes the event. A null secret makes
   * the event get the appointment's UID. Source: rule G27.
   */
  readonly secret: string | null
  /** True when another person organizes the event, or when the object is a scheduling message. */
  readonly isOfOthers: boolean
}

/**
 * Updates an event's file to the current appointment, keeping what the owner added: alarms, guests, categories. An
 * unreadable file is rewritten.
 */
export function updateAppointmentObject(
  text: string,
  appointment: AppointmentToWrite,
  ownerAddresses: ReadonlySet<string>,
): UpdatedObject {
  const calendar = parse(text)
  const events = calendar?.getAllSubcomponents('vevent') ?? []
  const isOfOthers =
    isSchedulingMessage(text) || events.some((event) => isInvitation(listOrganizers(event), ownerAddresses))
  const event = events.find((one) => !one.hasProperty('recurrence-id'))
  if (calendar === null || event === undefined)
    return { text: buildAppointmentObject(appointment), secret: null, isOfOthers }
  const secret = isOfOthers ? null : findSecret(event)
  if (secret === null) event.updatePropertyWithValue('uid', appointment.icalUid)
  for (const other of events.filter((one) => one !== event)) calendar.removeSubcomponent(other)
  for (const name of SERIES_PROPERTIES) event.removeAllProperties(name)
  writeAppointment(event, appointment)
  return { text: calendar.toString(), secret, isOfOthers }
}

function listOrganizers(event: ICAL.Component): ContentLine[] {
  return event
    .getAllProperties('organizer')
    .map((property) => parseContentLine(property.toICALString().replaceAll(/\r\n[ \t]/g, '')))
}

function findSecret(event: ICAL.Component): string | null {
  const property = event.getFirstPropertyValue(APPOINTMENT_PROPERTY.toLowerCase())
  return findAppointmentProperty(property ? String(property) : null)?.secret ?? null
}

/**
 * True for a scheduling message (invitation or cancellation) that a program stored unchanged; stored events have no
 * METHOD. `PUBLISH` is not addressed to anybody. Source: RFC 4791 §4.1; RFC 5546 §1.4.
 */
export function isSchedulingMessage(text: string): boolean {
  return /^METHOD(?:;[^:\r\n]*)?:(?!PUBLISH\s*$)/im.test(text)
}

function writeAppointment(event: ICAL.Component, appointment: AppointmentToWrite): void {
  writeTime(event, 'dtstamp', appointment.writtenAtMs)
  event.updatePropertyWithValue('sequence', appointment.sequence)
  writeTime(event, 'dtstart', appointment.startMs)
  writeTime(event, 'dtend', appointment.endMs)
  event.updatePropertyWithValue('summary', appointment.title)
  event.updatePropertyWithValue('description', appointment.description)
  event.removeAllProperties('location')
  if (appointment.location !== null) event.updatePropertyWithValue('location', appointment.location)
  event.updatePropertyWithValue('url', appointment.url)
  event.updatePropertyWithValue('status', 'CONFIRMED')
  event.updatePropertyWithValue(APPOINTMENT_PROPERTY.toLowerCase(), toAppointmentProperty(appointment))
}

/** Replaces the whole property, so that the old value's time zone is removed too. */
function writeTime(event: ICAL.Component, name: string, ms: number): void {
  event.removeAllProperties(name)
  event.updatePropertyWithValue(name, ICAL.Time.fromJSDate(new Date(ms), true))
}

function parse(text: string): ICAL.Component | null {
  try {
    return new ICAL.Component(ICAL.parse(text))
  } catch {
    return null
  }
}
