/** The filters of sessions by an answer and by data, such as the agent. */
import { useQuery } from '@tanstack/react-query';
import { listAssistantsOptions } from 'conversation-analysis-client/react-query';
import { conditionOn, replaceConditions } from '../fields/conditions.ts';
import { texts } from '../texts/index.ts';
import { useDataKeys } from './data-keys.ts';
import { parsePairs, printPairs, toSessionsQuery, type SessionsSearch } from './search.ts';
import type { Asked } from './values-filter.tsx';

type Change = (name: string, value: string | readonly string[] | undefined, others?: { assistant_id: string }) => void;

/** Returns the questions of the list's assistant; without one, of all assistants. A value also sets its assistant. */
export function useAnswers(search: SessionsSearch, change: Change): Asked[] {
  const { data } = useQuery({ ...listAssistantsOptions(), staleTime: 60_000 });
  const { assistant_id, field: set } = search;
  const shown = data?.data.filter(({ id }) => assistant_id === undefined || id === assistant_id) ?? [];
  return shown.flatMap(({ id, name: group, fields }) =>
    (fields ?? []).map(({ name, title = name, description: hint }, index) => {
      const others = replaceConditions(set, name, []);
      const valueOf = (condition: string, label: string, count?: number) => {
        const isChosen = set?.includes(condition) ?? false;
        const field = isChosen ? others : [...others, condition];
        const choose = () => change('field', field.length > 0 ? field : undefined, { assistant_id: id });
        return { label, isChosen, choose, ...(count !== undefined && { count }) };
      };
      return {
        key: `${id} ${name}`,
        label: title,
        hint,
        group: assistant_id === undefined && index === 0 ? group : undefined,
        query: { ...toSessionsQuery({ ...search, assistant_id: id, field: others }), group_by: `field.${name}` },
        valuesOf: (counted) => [
          ...counted.map(({ value, count }) =>
            value === null
              ? valueOf(conditionOn(name, 'null'), texts.fields.states.null, count)
              : valueOf(conditionOn(name, 'eq', value), printValue(value), count),
          ),
          valueOf(conditionOn(name, 'unverified'), texts.session.fields.withoutQuote),
        ],
      };
    }),
  );
}

const printValue = (value: string) =>
  value === 'true' ? texts.fields.yes : value === 'false' ? texts.fields.no : value;

/** Returns the keys of the data, the agent first. */
export function useDataFilter(search: SessionsSearch, change: Change): Asked[] {
  const set = parsePairs(search.metadata);
  return useDataKeys().keys.map((key) => {
    const others = set.filter(([name]) => name !== key);
    return {
      key,
      label: key,
      query: { ...toSessionsQuery({ ...search, metadata: printPairs(others) }), group_by: `metadata.${key}` },
      valuesOf: (counted) =>
        counted.flatMap(({ value, count }) => {
          if (value === null) return [];
          const isChosen = set.some((pair) => pair[0] === key && pair[1] === value);
          const choose = () => change('metadata', printPairs(isChosen ? others : [...others, [key, value]]));
          return [{ label: value, count, isChosen, choose }];
        }),
    };
  });
}
