/** Where two people differ about a session: whose answers count. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { decideSecondOpinion, type ResultField } from 'conversation-analysis-client';
import { getSecondOpinionOptions } from 'conversation-analysis-client/react-query';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Creator } from '../../components/creator.tsx';
import { Panel } from '../../components/page.tsx';
import { Problem } from '../../components/problem-note.tsx';
import { formatValue } from '../../fields/conditions.ts';
import { queryClient } from '../../server/queries.ts';
import { texts } from '../../texts/index.ts';

const words = texts.reviews;

type Chosen = Record<string, 'first' | 'second'>;

export function Dispute({ id, fields }: { id: string; fields: readonly ResultField[] }) {
  const options = getSecondOpinionOptions({ path: { id } });
  const { data: opinion } = useQuery(options);
  const [chosen, setChosen] = useState<Chosen>({});
  const decide = useMutation({
    mutationFn: () => decideSecondOpinion({ path: { id }, body: { answers: chosen }, throwOnError: true }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  const { first, second } = opinion ?? {};
  if (!opinion || !first || !second || opinion.decided_by !== null || opinion.differing.length === 0) return null;
  const shown = (answer: Parameters<typeof formatValue>[0] | null | undefined) =>
    answer === null || answer === undefined ? texts.fields.states.null : formatValue(answer);
  return (
    <Panel title={words.dispute}>
      <div className="stack">
        <p className="note">
          {words.disputeDetail} <Creator id={first.reviewed_by} />, <Creator id={second.reviewed_by} />
        </p>
        {opinion.differing.map((name) => (
          <Choice
            key={name}
            label={fields.find((field) => field.name === name)?.title ?? name}
            value={chosen[name] ?? ''}
            options={[
              { value: '', label: words.chooseAnswer },
              { value: 'first', label: words.firstAnswer(shown(first.answers[name])) },
              { value: 'second', label: words.secondAnswer(shown(second.answers[name])) },
            ]}
            onChoose={(side) => setChosen({ ...chosen, [name]: side === 'second' ? 'second' : 'first' })}
          />
        ))}
        {decide.error && <Problem error={decide.error} onRetry={() => decide.mutate()} />}
        <div className="row">
          <Button
            scope="reviews:write"
            disabled={decide.isPending || opinion.differing.some((name) => chosen[name] === undefined)}
            onClick={() => decide.mutate()}
          >
            {words.decide}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
