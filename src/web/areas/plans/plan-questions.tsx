import { Plus } from '#web/ui/icons/plus.ts'

/** Frequently asked questions. Some are shown only if this installation sells plans. */
export function PlanFaq({ isSelling }: { isSelling: boolean }) {
  const questions = QUESTIONS.filter(({ ofSale = false }) => isSelling || !ofSale)
  return (
    <section
      aria-labelledby="questions"
      className="mt-14 grid gap-x-12 gap-y-5 border-t border-line pt-10 lg:grid-cols-[1fr_2fr]"
    >
      <h2 id="questions" className="text-3xl">
        Good to know
      </h2>
      <div className="divide-y divide-line border-y border-line">
        {questions.map(({ question, answer }) => (
          <details key={question} className="group">
            <summary className="flex min-h-14 list-none items-center justify-between gap-4 rounded-control py-3 font-semibold hover:text-link [&::-webkit-details-marker]:hidden">
              {question}
              <Plus
                aria-hidden="true"
                className="size-5 shrink-0 text-ink-faint transition-transform group-open:rotate-45"
              />
            </summary>
            <p className="max-w-prose pb-5 text-ink-soft">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}

type Question = {
  readonly question: string
  readonly answer: string
  /** Set if the question is shown only when this installation sells plans. */
  readonly ofSale?: true
}

const QUESTIONS: readonly Question[] = [
  {
    question: 'How free is the free plan?',
    answer:
      'It has one calendar, everything listed under “In every plan”, and no end. It asks for no credit card, and there is nothing to cancel.',
  },
  {
    question: 'How do I pay for a larger plan?',
    answer:
      'By card, once a month, on a page of our payment provider. Your card is never seen here. Each invoice is in your profile.',
    ofSale: true,
  },
  {
    question: 'Can I change my plan, or end it?',
    answer:
      'At any time. A larger plan opens at once. A plan that you end stays until the end of the month that is paid. If the next plan allows fewer calendars, you choose which ones stay open. The others take no new bookings, and nothing is lost.',
    ofSale: true,
  },
  {
    question: 'Do you take a share of what my customers pay?',
    answer:
      'No. Payments go straight to your own account at the payment provider that you connect. Only its fees apply, on its terms.',
  },
  {
    question: 'Can customers pay me without a payment provider?',
    answer:
      'Yes. Your appointment types show no price then, and you settle it with your customers yourself. In your appointments you mark what was paid.',
  },
  {
    question: 'Do my customers need an account?',
    answer:
      'No. They choose a time, leave their name and email address, and have the confirmation in their inbox.',
  },
  {
    question: 'What happens to my data when I leave?',
    answer:
      'You take all of it along as one archive, from your profile, and delete your account there yourself. Nobody has to be asked.',
  },
]
