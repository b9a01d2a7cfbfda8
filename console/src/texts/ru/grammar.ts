/**
 * Russian. One term per concept: assistant – ассистент, attempt – попытка, batch – массовое действие, budget – бюджет,
 * channel – канал, client – клиент, conversation – разговор, delivery – доставка, evidence – подтверждение, experiment – эксперимент,
 * export – выгрузка, fallback – резервный, limit – лимит, question – вопрос, answer – ответ, cost – стоимость, email – эл. почта,
 * latency – время обработки, login – вход (действующий – сеанс), operator – оператор, outage – сбой, provider – провайдер,
 * queue – очередь, quote – цитата, reanalysis – повторный анализ, receiver – получатель, redelivery – повторная отправка,
 * request – запрос, retention – срок хранения, session – сессия, speaker – собеседник, step – шаг, summary – резюме, token – токен,
 * transcription – расшифровка, score – итоговый балл, trial – тест, turn – реплика, follow-up – дополнительный анализ,
 * usage – расходы, version – версия, webhook – вебхук, worker – воркер, workspace – рабочее пространство.
 */

export const rules = new Intl.PluralRules('ru');
export const number = new Intl.NumberFormat('ru');

/** Returns the form of a noun after a number: "сессия", "сессии" or "сессий". */
export function form(count: number, one: string, few: string, many: string): string {
  const category = rules.select(count);
  return category === 'one' ? one : category === 'few' ? few : many;
}

/** Returns "1 сессия", "2 сессии", "2000 сессий". */
export const plural = (count: number, one: string, few: string, many: string) =>
  `${number.format(count)} ${form(count, one, few, many)}`;

/** Returns "1 сессия", "10 000+ сессий". */
export const upTo = (count: number, isMore: boolean, one: string, few: string, many: string) =>
  isMore ? `${number.format(count)}+ ${many}` : plural(count, one, few, many);
