import { z } from 'zod'
import {
  mailContentSchema,
  mailSampleQuery,
  mailSamplesResponse,
  mailSchema,
  mailsResponse,
} from '#contract/mailbox.ts'
import { anyText, idOf } from '#contract/primitives.ts'
import * as at from './addresses.ts'
import { defineOperations } from './operation.ts'

const mailParams = z.object({ id: idOf('request.not_found') })
const sampleParams = z.object({ id: anyText().max(60, 'request.not_found') })
const htmlPage = { content: { 'text/html': { schema: z.string() } } }

/** The sandbox mailbox, and the gallery of every message. They exist in the sandbox only. */
export const mailboxOperations = defineOperations({
  listMails: {
    address: at.listMails,
    summary: 'The emails that were kept, newest first',
    tag: 'Sandbox',
    isHidden: true,
    answers: { 200: mailsResponse },
    problems: [],
  },
  getMail: {
    address: at.getMail,
    summary: 'One email',
    tag: 'Sandbox',
    isHidden: true,
    params: mailParams,
    answers: { 200: mailSchema },
    problems: [],
  },
  showMail: {
    address: at.showMail,
    summary: 'The HTML of one email',
    tag: 'Sandbox',
    isHidden: true,
    params: mailParams,
    answers: { 200: htmlPage },
    problems: [],
  },
  listMailSamples: {
    address: at.listMailSamples,
    summary: 'Every message of the product',
    tag: 'Sandbox',
    isHidden: true,
    answers: { 200: mailSamplesResponse },
    problems: [],
  },
  getMailSample: {
    address: at.getMailSample,
    summary: 'One message of the gallery',
    tag: 'Sandbox',
    isHidden: true,
    params: sampleParams,
    query: mailSampleQuery,
    answers: { 200: mailContentSchema },
    problems: [],
  },
  showMailSample: {
    address: at.showMailSample,
    summary: 'The HTML of one message of the gallery',
    tag: 'Sandbox',
    isHidden: true,
    params: sampleParams,
    query: mailSampleQuery,
    answers: { 200: htmlPage },
    problems: [],
  },
})
