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
    question: 'Is the free plan really free?',
    answer:
      'Yes, forever. It has one calendar and everything under “In every plan”. You don’t need a credit card, and there is nothing to cancel.',
  },
  {
    question: 'How do I pay for a larger plan?',
    answer:
      'By card, once a month, on our payment provider’s page. We never see your card. You’ll find each invoice in your profile.',
    ofSale: true,
  },
  {
    question: 'Can I change or end my plan?',
    answer:
      'Yes, at any time. A larger plan starts right away. If you end a plan, you keep it until the end of the month you’ve paid for. If the next plan allows fewer calendars, you choose which ones stay open. The others take no new bookings, and nothing is lost.',
    ofSale: true,
  },
  {
    question: 'Do you take a share of what my customers pay?',
    answer:
      'No. Payments go straight to your own account at the payment provider you connect. Only the provider’s fees apply.',
  },
  {
    question: 'Can customers pay me without a payment provider?',
    answer:
      'Yes. Your appointment types then show no price, and customers pay you directly. You can mark appointments as paid.',
  },
  {
    question: 'Do my customers need an account?',
    answer: 'No. They choose a time, enter their name and email address, and get a confirmation by email.',
  },
  {
    question: 'What happens to my data when I leave?',
    answer:
      'You can download everything as one archive from your profile and delete your account there yourself. You don’t need to ask anyone.',
  },
]
