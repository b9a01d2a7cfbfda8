import type * as en from '../en/usage.ts';

export const usage: typeof en.usage = {
  group: 'Группировка',
  by: { provider: 'По провайдерам', model: 'По моделям', assistant: 'По ассистентам' },
  byKey: (key: string) => `По ключу ${key}`,
  groups: { provider: 'Провайдер', model: 'Модель', assistant: 'Ассистент' },
  setBudget: 'Задать бюджет',
  raiseBudget: 'Увеличить бюджет',
  budget: 'Месячный бюджет',
  budgetField: 'Бюджет (USD)',
  budgetHint:
    'Когда затраты за месяц достигнут этой суммы, новые сессии будут завершаться с ошибкой до следующего месяца. Пусто: без бюджета.',
  ofBudget: (share, budget) => `За месяц потрачено ${share} из ${budget}.`,
  budgetSpent:
    'Месячный бюджет исчерпан. Новые сессии завершаются с ошибкой, пока вы не увеличите бюджет или не начнётся новый месяц.',
  none: 'За этот период расходов нет',
  noneDetail: 'Здесь появятся запросы к провайдерам и их стоимость.',
  calls: 'Запросы к провайдерам',
  inputTokens: 'Входные токены',
  outputTokens: 'Выходные токены',
  perDay: 'Стоимость по дням',
  chartLabel: (group) => `Стоимость по дням, ${group.toLowerCase()}. Те же числа в таблице ниже.`,
  others: 'Другие',
  noValue: 'Без значения или удалены',
  noModel: 'Фиксированная модель',
  day: 'День',
  table: 'По дням',
  csv: 'Скачать CSV',
  days: (zone) => `Дни начинаются в полночь (${zone}), месяцы бюджета — в полночь по UTC.`,
};
