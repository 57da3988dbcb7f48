import type { Api } from '../api/client.ts';
import type { FlowEvent } from '../flow/events.ts';
import { createTodoQueue } from './todo-queue.ts';

type Report = (event: FlowEvent) => void;

/** What the site list alone wants done outside. A part of its own: a sign-in does not carry it. */
export interface SiteListEffects {
  loadTodos: (inView: readonly string[], others: readonly string[], report: Report) => void;
  stopTodos: () => void;
}

export function createSiteListEffects(api: Api): SiteListEffects {
  let reportTodo: Report = () => {};
  const todos = createTodoQueue(async (site, signal) => {
    reportTodo({ type: 'TODO_LOADING', site });
    const result = await api.call('getSiteTodo', { params: { site } }, { signal });
    if (signal.aborted) return;
    reportTodo(
      result.ok ? { type: 'TODO_LOADED', site, answer: result.answer } : { type: 'TODO_FAILED', site },
    );
  });
  return {
    loadTodos(inView, others, report) {
      reportTodo = report;
      todos.want(inView);
      todos.wantWhenIdle(others);
    },
    stopTodos: todos.stop,
  };
}
