// The user of a TypeScript client: answers the questions of running calls as their rows say. clients.py documents the rows.

/** The questions of one call: those that arrived, and those that the server or the client closed before they were answered. */
class Questions {
    asked = [];
    closed = [];
    /** The handlers that have begun. */
    answers = [];

    constructor(replies, onQuestion) {
        this.replies = replies;
        this.onQuestion = onQuestion;
    }
}

export class User {
    #running = new Set();

    /** Begins a call. `onQuestion` is called when a question of it arrives. */
    begin(row, onQuestion) {
        const questions = new Questions(row.asked, onQuestion);
        this.#running.add(questions);
        return questions;
    }

    /** Ends a call. Returns what happened to its questions. */
    async end(questions) {
        // A question that is closed ends a little later than its call.
        await Promise.allSettled(questions.answers);
        this.#running.delete(questions);
        return { asked: questions.asked, closed: questions.closed };
    }

    /** Handles `elicitation/create`. A question that no row expects is closed without an answer. */
    answer(message, signal) {
        const questions = [...this.#running].find(({ replies }) => message in replies);
        if (questions === undefined) {
            console.log(JSON.stringify({ unexpected: message }));
            return { action: 'cancel' };
        }
        questions.asked.push(message);
        const answer = this.#think(questions, message, signal);
        questions.answers.push(answer);
        questions.onQuestion();
        return answer;
    }

    async #think(questions, message, signal) {
        const { after = 0, ...reply } = questions.replies[message];
        await new Promise((resolve) => {
            const timer = setTimeout(resolve, after);
            signal.addEventListener('abort', () => {
                questions.closed.push(message);
                clearTimeout(timer);
                resolve();
            });
        });
        return reply;
    }
}
