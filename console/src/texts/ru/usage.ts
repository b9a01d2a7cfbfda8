import type * as en from '../en/usage.ts';

export const usage: typeof en.usage = {
  ranges: {
    '7d': 'Последние 7 дней',
    '30d': 'Последние 30 дней',
    '90d': 'Последние 90 дней',
    month: 'Этот месяц',
  },
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
  noBudget: (spent) => `Потрачено ${spent.replace('≥', 'не менее')}. Бюджет не задан.`,
  ofBudget: (spent, budget, share) => `Потрачено ${spent.replace('≥', 'не менее')} из ${budget} (${share}).`,
  budgetSpent:
    'Месячный бюджет исчерпан. Новые сессии завершаются с ошибкой, пока вы не увеличите бюджет или не начнётся новый месяц.',
  none: 'За этот период расходов нет',
  noneDetail: 'Здесь появятся вызовы провайдеров и их стоимость.',
  calls: 'Вызовы',
  inputTokens: 'Входные токены',
  outputTokens: 'Выходные токены',
  perDay: 'Стоимость по дням',
  chartLabel: (group) => `Стоимость по дням, ${group.toLowerCase()}. Те же числа в таблице ниже.`,
  total: 'всего',
  others: 'Другие',
  noValue: 'Без значения или удалены',
  noModel: 'Фиксированная модель',
  day: 'День',
  table: 'По дням',
  csv: 'Скачать CSV',
  days: 'Дни и месяцы начинаются в полночь по UTC.',
};
